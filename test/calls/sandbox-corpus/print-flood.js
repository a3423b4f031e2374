// expect: sandbox_timeout
export default () => {
  for (;;) console.log("x".repeat(1000));
};
