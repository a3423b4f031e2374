// expect: result_too_large
export default () => "€".repeat(90_000);
