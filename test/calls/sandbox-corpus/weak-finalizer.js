// expect: sandbox_timeout
const registry = new FinalizationRegistry(() => {
  for (;;);
});
export default async () => {
  for (;;) {
    registry.register({}, 1);
    await 0;
  }
};
