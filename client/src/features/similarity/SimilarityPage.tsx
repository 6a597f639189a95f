import { getAssignment } from '@assay/shared/assignments.ts'
import { getSimilarity, type SimilarityReport, setSimilarity } from '@assay/shared/similarity.ts'
import { Switch } from '@mantine/core'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../components/layout/Page.tsx'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { submissionsPath } from '../../paths.ts'
import { SimilarPapersCard } from './SimilarPapersCard.tsx'
import classes from './similarity.module.css'

const POLL_MS = 1500

export function SimilarityPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const report = useGet(getSimilarity, { assignmentId }, undefined, {
    refreshIntervalMs: (data) => (data?.state === 'comparing' ? POLL_MS : 0),
  })
  const title = assignment.data?.title ?? 'Assignment'
  return (
    <Page>
      <PageHeader
        title="Similar answers"
        tabTitle={`Similar answers, ${title}`}
        subtitle="Papers whose own words are unusually alike for this class."
        crumbs={[{ label: title, to: submissionsPath(assignmentId) }, { label: 'Similar answers' }]}
      />
      <Loaded
        query={report}
        title="Error Loading Similar Answers"
        skeleton={<RowSkeletons count={3} label="Loading similar answers" />}
      >
        {(data) => <Report assignmentId={assignmentId} report={data} changed={(next) => report.patch(() => next)} />}
      </Loaded>
    </Page>
  )
}

interface ReportProps {
  assignmentId: number
  report: SimilarityReport
  changed: (report: SimilarityReport) => void
}

function Report({ assignmentId, report, changed }: ReportProps) {
  const { enabled, state, compared, pairs } = report
  const setting = useSend(setSimilarity)
  const set = (wanted: boolean) =>
    setting.send({ params: { assignmentId }, body: { enabled: wanted } }).then(changed, () => {})

  return (
    <>
      <div className={classes.setting}>
        <Switch
          label="Look for unusually similar answers"
          description="Only teachers of this course see this page. It changes no grade and no flag, and students are not told."
          checked={enabled}
          disabled={setting.sending}
          onChange={(event) => void set(event.currentTarget.checked)}
        />
        <p className="dim">
          This is a hint, never a verdict. Students who learned together, used the same notes or copied the same
          sentence from a book write alike too. Words that are printed, expected or written by many do not count.
          Rewritten copies are not found, nor what more than a fifth of the class wrote alike.
        </p>
        <ErrorNotice error={setting.error} fallback="The setting was not saved. Please try again." />
      </div>
      {enabled && (
        <section aria-label="Papers that are alike">
          <div className={classes.status}>
            {state === 'comparing' ? (
              <span role="status">Comparing the papers. You can leave this page.</span>
            ) : state === 'failed' ? (
              <Notice tone="warn">
                The papers could not be compared. Compare them again, or ask your administrator.
              </Notice>
            ) : (
              <span role="status">{summaryOf(pairs.length, compared)}</span>
            )}
            {state !== 'comparing' && (
              <SecondaryButton size="compact-md" loading={setting.sending} onClick={() => void set(true)}>
                Compare again
              </SecondaryButton>
            )}
          </div>
          {similarClusters(pairs).map((cluster) => (
            <SimilarPapersCard key={cluster[0]?.id} assignmentId={assignmentId} pairs={cluster} changed={changed} />
          ))}
        </section>
      )}
    </>
  )
}

function summaryOf(pairs: number, compared: SimilarityReport['compared']): string {
  if (!compared || compared.papers === 0)
    return 'There are no graded papers to compare yet. They are compared after each run.'
  const when = `${plural(compared.papers, 'paper')} compared on ${formatDateTime(compared.at)}. They are compared again after each run and after corrections of what was read.`
  return pairs === 0 ? `No papers are unusually alike. ${when}` : `${plural(pairs, 'pair')} unusually alike. ${when}`
}

interface Pair {
  first: { submission_id: number }
  second: { submission_id: number }
}

/** Groups pairs that share papers, in the order of each group's first pair. */
export function similarClusters<P extends Pair>(pairs: readonly P[]): P[][] {
  const groupOf = new Map<number, Set<number>>()
  for (const { first, second } of pairs) {
    const [one, other] = [first, second].map(({ submission_id: id }) => groupOf.get(id) ?? new Set([id]))
    if (!one || !other || one === other) continue
    const [small, large] = one.size < other.size ? [one, other] : [other, one]
    for (const id of small) large.add(id)
    for (const id of large) groupOf.set(id, large)
  }
  return [...Map.groupBy(pairs, ({ first }) => groupOf.get(first.submission_id)).values()]
}
