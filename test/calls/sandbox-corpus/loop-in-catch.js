// expect: sandbox_timeout
export default () => {
  for (;;)
    try {
      for (;;);
    } catch {}
};
