import type { LmsScoresOfLink } from '@assay/shared/lti/lti-scores.ts'
import { IconAlertTriangle, IconCloudCheck, IconCloudUp } from '@tabler/icons-react'
import { plural } from '../../../lib/format.ts'
import { DetachLink } from './DetachLink.tsx'
import { LmsScoresActions } from './LmsScoresActions.tsx'
import classes from './LmsScoresSummary.module.css'
import { checkedMessage, linkLabels, linkScoresMessage, lmsNamesOfScores, nextRetryMessage } from './score-messages.ts'
import type { LmsScoresState } from './useLmsScores.ts'

/** Above the list: what the LMS has of these grades, in a line for each of its courses. */
export function LmsScoresSummary({ lms }: { lms: LmsScoresState }) {
  const { summary } = lms
  if (lms.expected) return <div className={classes.root} data-expected aria-hidden />
  if (!summary?.linked) return null
  const labels = linkLabels(summary.links)
  const names = lmsNamesOfScores(summary)
  // As of these counts: the assignment on the screen may be published already, or hidden.
  const { published } = summary
  return (
    <section className={classes.root} aria-label={`Scores in ${names}`}>
      {summary.links.map((link) => (
        <LinkScores
          key={link.link_id}
          link={link}
          label={labels.get(link.link_id) ?? ''}
          lms={lms}
          published={published}
        />
      ))}
      <LmsScoresActions lms={lms} links={summary.links} published={published} />
      {published && summary.unknown_students > 0 && (
        <p className={classes.why}>
          {plural(summary.unknown_students, 'student')} with a released grade{' '}
          {summary.unknown_students === 1 ? 'is' : 'are'} not listed in {names} yet. Their{' '}
          {summary.unknown_students === 1 ? 'score is sent' : 'scores are sent'} there once {names} lists them, or they
          open Assay from there.
        </p>
      )}
    </section>
  )
}

interface LinkProps {
  link: LmsScoresOfLink
  label: string
  lms: LmsScoresState
  published: boolean
}

function LinkScores({ link, label, lms, published }: LinkProps) {
  const { counts, problem } = link
  const open = counts.waiting + counts.sending
  const wrong = problem !== null || counts.refused + counts.different + counts.missing > 0
  const Icon = wrong ? IconAlertTriangle : open > 0 || counts.sent === 0 ? IconCloudUp : IconCloudCheck
  const checked = counts.sent > 0 ? checkedMessage(link) : null
  return (
    <>
      <p className={classes.line} data-problem={wrong || undefined}>
        <Icon size={17} aria-hidden />
        <span>
          <strong>{label}</strong>: {linkScoresMessage(link, published)}
          {checked && ` · ${checked}`}
        </span>
      </p>
      {problem && (
        <p className={classes.why}>
          {problem} {nextRetryMessage(link.next_try_at)}
        </p>
      )}
      {link.gone_since && <DetachLink link={link} label={label} lms={lms} />}
    </>
  )
}
