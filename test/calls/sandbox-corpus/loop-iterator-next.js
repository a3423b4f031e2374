// expect: sandbox_timeout
export default () => {
  for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) });
};
