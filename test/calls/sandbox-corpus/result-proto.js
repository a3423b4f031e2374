// expect: ok {"__proto__":{"admin":true}}
export default () => JSON.parse('{"__proto__":{"admin":true}}');
