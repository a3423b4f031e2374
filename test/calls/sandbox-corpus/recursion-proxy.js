// expect: sandbox_error
let proxy = {};
for (let n = 0; n < 100000; n++) proxy = new Proxy(proxy, {});
export default () => proxy.x;
