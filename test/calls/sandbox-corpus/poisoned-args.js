// expect: ok [false,true,"x"]
export default (args) => [{}.admin === true, Object.hasOwn(args, "__proto__"), args.constructor];
