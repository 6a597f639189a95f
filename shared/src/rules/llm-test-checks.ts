import type { LlmCheck, LlmTest, LlmTotals } from '../llm/llm.ts'

/** In ms. */
const SLOW_MS = 20_000

/** None without a response. `tests`: the test's steps. */
export function speedAndCost(tests: readonly Pick<LlmTest, 'spent' | 'ms'>[]): LlmCheck[] {
  const sum = (of: (test: Pick<LlmTest, 'spent' | 'ms'>) => number) => tests.reduce((all, test) => all + of(test), 0)
  const answers = sum(({ spent }) => spent.calls - spent.failures)
  if (answers === 0) return []
  const total: LlmTotals = {
    calls: sum(({ spent }) => spent.calls),
    failures: sum(({ spent }) => spent.failures),
    input_tokens: sum(({ spent }) => spent.input_tokens),
    output_tokens: sum(({ spent }) => spent.output_tokens),
    unpriced: sum(({ spent }) => spent.unpriced),
    estimated: sum(({ spent }) => spent.estimated),
    dollars: sum(({ spent }) => spent.dollars ?? 0),
  }
  return [speed(sum(({ ms }) => ms) / total.calls), cost(total)]
}

function speed(ms: number): LlmCheck {
  const slow = ms > SLOW_MS
  const message = `An answer takes about ${(ms / 1000).toFixed(1)} seconds.${slow ? ' That is slow: grading a class will take a long time.' : ''}`
  return { check: 'speed', outcome: slow ? 'warn' : 'ok', message }
}

function cost({ calls, input_tokens, output_tokens, dollars, unpriced }: LlmTotals): LlmCheck {
  const count = (tokens: number) => tokens.toLocaleString('en')
  const questions = calls === 1 ? 'one request' : `${calls} requests`
  const tokens = `${count(input_tokens)} tokens read and ${count(output_tokens)} written in ${questions}`
  if (unpriced > 0)
    return {
      check: 'cost',
      outcome: 'warn',
      message: `${tokens}. Enter prices to see the cost; without them, a budget cannot be enforced.`,
    }
  return { check: 'cost', outcome: 'ok', message: `${tokens}: $${(dollars ?? 0).toFixed(5)} in total.` }
}
