// expect: ok true
export default () => ({}).constructor.constructor("return this")() === globalThis;
