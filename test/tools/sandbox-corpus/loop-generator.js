// expect: sandbox_timeout
function* forever() { for (let n = 0; ; n++) yield n; }
export default () => [...forever()].length;
