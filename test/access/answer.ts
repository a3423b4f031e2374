import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { resolve } from "@/lib/access/decide/resolve";
import type { Resolution } from "@/lib/access/decide/resolution";
import type { Question } from "@/test/access/seen";

// Laws change generated worlds that they share. What a law leaves unchanged is compiled and resolved once for all of them.
const indexes = new WeakMap<Configuration, Index>();
const answers = new WeakMap<Question, Resolution>();

/** The resolver's answer to a question. */
export function answer(question: Question): Resolution {
  const { configuration, request, now } = question;
  const found = answers.get(question) ?? resolve(indexOf(configuration), request, now);
  answers.set(question, found);
  return found;
}

/** The ids of the tools that a question's caller sees. */
export function visible(question: Question): readonly string[] {
  return answer(question).tools.map(({ tool }) => tool.id);
}

function indexOf(configuration: Configuration): Index {
  const index = indexes.get(configuration) ?? compile(configuration);
  indexes.set(configuration, index);
  return index;
}
