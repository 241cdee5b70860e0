/** What holds among several parameters: the rules that an endpoint declares and that its description shows, as a check. */
import { type ParameterError, WhereaboutsError } from '../errors.ts';

type Fault = ParameterError & { isMissing?: true };
/** What is wrong by a rule with these names; of those that are ways to say one thing, each with what belongs to it. */
type Check = (names: readonly string[], has: (name: string) => boolean, ways: readonly string[][]) => Fault[];

const missing = (parameter: string, more: string): Fault => ({
  parameter,
  detail: `${parameter} is missing${more}`,
  isMissing: true,
});
const and = (names: readonly string[]) => names.join(' and ');

const checks: Readonly<Record<string, Check>> = {
  AllOrNone(names, has) {
    const lacking = names.some(has) ? names.filter((name) => !has(name)) : [];
    return lacking.map((name) => missing(name, `, expected both ${and(names)}, or neither`));
  },
  OnlyOne(names, has, ways) {
    const expected = `expected either ${ways.map(and).join(', or ')}`;
    const present = ways.filter((way) => way.some(has)).toReversed();
    if (present.length === 1) return [];
    const detail = `${and(present.flat().filter(has))} are both present, ${expected}`;
    if (present.length > 1) return [{ parameter: names.at(-1)!, detail }];
    return ways.flat().map((name, at, all) => missing(name, at < all.length - 1 ? '' : `: ${expected}`));
  },
  ZeroOrOne([one, other], has) {
    const detail = `${other} is given beside ${one}; expected one or the other`;
    return has(one) && has(other) ? [{ parameter: other, detail }] : [];
  },
  Or: (names, has) =>
    names.some(has) ? [] : [missing(names[0], `, and so are ${and(names.slice(1))}; expected one of them at least`)],
};

/**
 * Makes the check of rules in the language of `x-dependencies` (IDL4OAS). It throws one error that lists all parameters at fault,
 * `missing_parameter` if nothing else is wrong.
 */
export function compileDependencies(rules: readonly string[]): (given: Readonly<Record<string, unknown>>) => void {
  const groups = rules.map((rule) => /^AllOrNone\((.+)\);$/.exec(rule)?.[1].split(', ') ?? []);
  const compiled = rules.map((rule) => {
    const [, call, list = ''] = /^(\w+)\((.+)\);$/.exec(rule) ?? [];
    const names = list.split(', ');
    const ways = names.map((name) => groups.find((group) => group.includes(name)) ?? [name]);
    return { call, names, ways, comparison: /^(?:IF )?(\w+)(?: THEN |<=)(\w+)(?:==(\w+))?;$/.exec(rule) };
  });
  return (given) => {
    const has = (name: string) => given[name] !== undefined;
    /** Of which it is not known which one is meant, so that nothing is said of what it lacks. */
    let open: readonly string[] = [];
    const faults = compiled.flatMap(({ call, names, ways, comparison }) => {
      if (comparison) return compared(comparison, given);
      const found = names.some((name) => open.includes(name)) ? [] : checks[call](names, has, ways);
      if (call === 'OnlyOne' && found.length > 0) open = [...open, ...names];
      return found;
    });
    if (faults.length === 0) return;
    const code = faults.every(({ isMissing }) => isMissing) ? 'missing_parameter' : 'invalid_parameter';
    const errors = faults.map(({ parameter, detail }) => ({ parameter, detail }));
    throw new WhereaboutsError(code, errors.map(({ detail }) => detail).join('; '), { errors });
  };
}

/** What is wrong by `IF one THEN other;`, `IF one THEN other==value;` and `one<=other;`. */
function compared([rule, one, other, value]: RegExpExecArray, given: Readonly<Record<string, unknown>>): Fault[] {
  const { [one]: left, [other]: right } = given;
  const wrong = (detail: string) => [{ parameter: one, detail: `${one} ${detail}` }];
  if (left === undefined) return [];
  if (rule.includes('<='))
    return (left as number) > (right as number)
      ? wrong(`is ${left}, expected at most ${other}, which is ${right}`)
      : [];
  if (value === undefined) return right === undefined ? wrong(`is present without ${other}`) : [];
  return String(right) === value ? [] : wrong(`requires ${other}=${value}, got ${other}=${right}`);
}
