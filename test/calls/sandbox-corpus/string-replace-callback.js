// expect: sandbox_timeout
export default () =>
  "x".replace(/x/, () => {
    for (;;);
  });
