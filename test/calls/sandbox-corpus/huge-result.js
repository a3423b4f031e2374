// expect: result_too_large
export default () => "x".repeat(262_143);
