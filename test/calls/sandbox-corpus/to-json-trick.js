// expect: ok "not what it seems"
export default () => ({ toJSON: () => ({ toJSON: 1, toString: 2 }).toString === 2 && "not what it seems" });
