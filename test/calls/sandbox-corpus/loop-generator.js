// expect: sandbox_timeout sandbox_memory
function* forever() {
  for (let n = 0; ; n++) yield n;
}
export default () => [...forever()].length;
