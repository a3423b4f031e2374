// expect: sandbox_timeout
export default async () => {
  for (;;) await 0;
};
