// expect: sandbox_memory sandbox_timeout
export default () => {
  let text = "xy";
  const all = [];
  for (;;) {
    text = (text + text).slice(0, 4e6);
    all.push(text + all.length);
  }
};
