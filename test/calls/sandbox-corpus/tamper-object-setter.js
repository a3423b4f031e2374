// expect: ok {"got":1}
for (const name of ["ok", "output", "default", "callTool", "then", "message"])
  Object.defineProperty(Object.prototype, name, {
    set() {
      for (;;);
    },
    configurable: true,
  });
for (const name of ["ok", "output", "default", "callTool", "then", "message"]) delete Object.prototype[name];
export default () => ({ got: 1 });
