// expect: sandbox_memory sandbox_timeout
export default () => {
  let last = () => 0;
  for (;;) {
    const before = last;
    const kept = new Array(1000).fill(before);
    last = () => kept;
  }
};
