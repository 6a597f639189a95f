import type { LlmCallEntry } from '@assay/shared/grade-history.ts'
import { formatBytes, formatCount, formatDollars } from '../../../lib/format.ts'
import classes from './GradeHistory.module.css'
import { llmCallText } from './llm-call-messages.ts'

/** Each LLM request: its outcome, its cost, the hashes of what was sent, and the raw response. */
export function LlmCalls({ calls }: { calls: LlmCallEntry[] }) {
  return calls.map((call) => (
    <details key={call.id} className={classes.more}>
      <summary>{llmCallText(call)}</summary>
      <dl className={classes.facts}>
        <dt>Model</dt>
        <dd>
          {call.provider}/{call.model}, prompt version {call.prompt_version}
        </dd>
        <dt>Tokens</dt>
        <dd>
          {formatCount(call.input_tokens)} in, {formatCount(call.output_tokens)} out
          {call.dollars !== null && `, ${formatDollars(call.dollars)}`}
        </dd>
        {withKeys(call.inputs).map(({ key, kind, sha256, bytes }) => (
          <div key={key}>
            <dt>
              SHA-256 of {kind === 'picture' ? 'an image' : `the ${kind}`} ({formatBytes(bytes)})
            </dt>
            <dd>
              <code>{sha256}</code>
            </dd>
          </div>
        ))}
      </dl>
      {call.raw !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={classes.raw} tabIndex={0} aria-label="The answer as the AI model wrote it">
          <pre>{call.raw}</pre>
        </section>
      )}
    </details>
  ))
}

/** With a key each: the same words may be said twice. */
function withKeys(inputs: LlmCallEntry['inputs']) {
  const seen = new Map<string, number>()
  return inputs.map((input) => {
    const times = (seen.get(input.sha256) ?? 0) + 1
    seen.set(input.sha256, times)
    return { ...input, key: `${input.sha256} ${times}` }
  })
}
