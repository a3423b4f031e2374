// expect: sandbox_memory sandbox_timeout
const all = [];
export default async () => {
  for (;;) all.push(new Promise(() => {}));
};
