// expect: sandbox_error ok {"x":1}
for (const owner of [Array, String, Function, RegExp, Error])
  for (const name of Object.getOwnPropertyNames(owner.prototype))
    try {
      owner.prototype[name] = () => {
        throw 1;
      };
    } catch {}
export default () => ({ x: 1 });
