import type { CourseLlm } from '@assay/shared/llm/llm.ts'
import panel from '../../components/layout/Panel.module.css'
import { formatDollars } from '../../lib/format.ts'
import { DataSharingNotice } from './DataSharingNotice.tsx'
import { providerNames } from './llm-labels.ts'

/** The school's LLM, as a sentence; and what leaves the server where it grades here. */
export function SchoolLlmSummary({ school, inForce }: { school: CourseLlm['school']; inForce: boolean }) {
  const { provider, model, host, pictures, month } = school
  const offline = provider === 'offline'
  const name = offline
    ? 'the built-in grader'
    : `${model} (${provider === 'openai-compatible' ? host : providerNames[provider]})`
  return (
    <>
      <p className={panel.about}>
        {inForce ? (
          <>
            This course uses the school’s model: <strong>{name}</strong>.
          </>
        ) : (
          <>
            This course uses its own model, set below. The school’s model is <strong>{name}</strong>.
          </>
        )}
        {offline && inForce && ' It runs on this server: no papers leave it and it costs nothing.'}
      </p>
      {inForce && !offline && (
        <>
          <p className={panel.about}>
            This month the course has spent {formatDollars(month.spent)}
            {month.budget === null
              ? ' from the school’s budget. This course has no limit.'
              : ` of the ${formatDollars(month.budget)} limit. Your administrator can raise it.`}
            {!month.enforceable && ' No prices are set, so the cost is unknown.'}
          </p>
          <DataSharingNotice host={host} pictures={pictures} />
        </>
      )}
    </>
  )
}
