// expect: sandbox_timeout
export default () => {
  for (;;)
    [3, 2, 1].sort(() => {
      for (;;);
    });
};
