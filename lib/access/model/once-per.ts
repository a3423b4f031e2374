/** Makes a value once per object, and keeps it as long as the object lives. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made & {}): (key: Key) => Made & {} {
  const made = new WeakMap<Key, Made & {}>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
