// expect: sandbox_timeout
export default () => {
  const text = "a".repeat(2e6);
  const part = "a".repeat(1e6) + "b";
  for (;;) text.indexOf(part);
};
