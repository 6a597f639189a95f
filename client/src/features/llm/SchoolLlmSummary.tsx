import type { CourseLlm } from '@assay/shared/llm.ts'
import panel from '../../components/layout/Panel.module.css'
import { formatDollars } from '../../lib/format.ts'
import { DataSharingNotice } from './DataSharingNotice.tsx'
import { providerNames } from './llm-labels.ts'

/** The school's model, in words; and what leaves the server where it is the one that grades here. */
export function SchoolLlmSummary({ school, inForce }: { school: CourseLlm['school']; inForce: boolean }) {
  const { provider, model, host, pictures, month } = school
  const offline = provider === 'offline'
  const name = offline
    ? 'the offline grader'
    : `${model} (${provider === 'openai-compatible' ? host : providerNames[provider]})`
  return (
    <>
      <p className={panel.about}>
        {inForce ? (
          <>
            This course is graded by the school’s: <strong>{name}</strong>.
          </>
        ) : (
          <>
            This course is graded by a model of its own, set below. The school’s is <strong>{name}</strong>.
          </>
        )}
        {offline && inForce && ' It works on this server alone: no paper leaves it, and it costs nothing.'}
      </p>
      {inForce && !offline && (
        <>
          <p className={panel.about}>
            This month the course has spent {formatDollars(month.spent)}
            {month.budget === null
              ? ' of the school’s money; the course has no limit of its own.'
              : ` of the ${formatDollars(month.budget)} it may spend of the school’s money. Your administrator can raise it.`}
            {!month.kept && ' Nobody has entered a price, so what it costs is not known.'}
          </p>
          <DataSharingNotice host={host} pictures={pictures} />
        </>
      )}
    </>
  )
}
