// expect: sandbox_timeout
export default () =>
  JSON.stringify(
    new Proxy(
      {},
      {
        ownKeys() {
          for (;;);
        },
      },
    ),
  );
