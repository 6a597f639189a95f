import { detachLmsLink, type LmsScoresOfLink } from '@assay/shared/lti/lti-scores.ts'
import { Button, Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconCloudCheck, IconCloudUp } from '@tabler/icons-react'
import { useState } from 'react'
import { AskFirst, ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './LmsScoresSummary.module.css'
import {
  canSendAgain,
  checkedMessage,
  linkLabels,
  linkScoresMessage,
  lmsNamesOfScores,
  nextRetryMessage,
} from './score-messages.ts'
import type { LmsScoresState } from './useLmsScores.ts'

export function LmsScoresSummary({ lms }: { lms: LmsScoresState }) {
  const { summary } = lms
  if (lms.expected) return <div className={classes.root} data-expected aria-hidden />
  if (!summary?.linked) return null
  const labels = linkLabels(summary.links)
  const names = lmsNamesOfScores(summary)
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
          {problem} {nextRetryMessage(link.next_try_at)}{' '}
          {link.gradebook_url && (
            <a href={link.gradebook_url} target="_blank" rel="noreferrer">
              Open the gradebook in {link.platform.name}
            </a>
          )}
        </p>
      )}
      {link.gone_since && <DetachLink link={link} label={label} lms={lms} />}
    </>
  )
}

interface Props {
  lms: LmsScoresState
  links: LmsScoresOfLink[]
  published: boolean
}

/** Scores set in the LMS are sent only when asked. */
function LmsScoresActions({ lms, links, published }: Props) {
  const [asking, setAsking] = useState(false)
  const [changedToo, setChangedToo] = useState(false)
  const different = links.reduce((sum, { counts }) => sum + counts.different, 0)
  const names = lmsNamesOfScores({ links })
  const sendAgain = () => {
    setChangedToo(false)
    if (different > 0) setAsking(true)
    else void lms.sendAgain()
  }
  return (
    <>
      {links.some((link) => canSendAgain(link, published)) && (
        <Button variant="subtle" className={classes.again} loading={lms.sending} onClick={sendAgain}>
          Send again
        </Button>
      )}
      {links.some(({ counts }) => counts.sent > 0) && (
        <Button variant="subtle" className={classes.again} loading={lms.checking} onClick={() => void lms.check()}>
          Read the gradebook
        </Button>
      )}
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title="Send the scores again?"
        confirmLabel="Send again"
        onConfirm={() => lms.sendAgain(undefined, changedToo)}
      >
        <p>
          {plural(different, 'score')} {different === 1 ? 'was' : 'were'} changed in {names}. All others are sent again.
        </p>
        <Checkbox
          label={`Also send ${different === 1 ? 'the one' : 'those'} changed in ${names}`}
          description={`${names} may keep what was set there. Assay then shows that.`}
          checked={changedToo}
          onChange={(event) => setChangedToo(event.currentTarget.checked)}
        />
      </ConfirmModal>
    </>
  )
}

function DetachLink({ link, label, lms }: { link: LmsScoresOfLink; label: string; lms: LmsScoresState }) {
  const { send } = useSend(detachLmsLink)
  const { name } = link.platform

  async function detach() {
    await send({ params: { assignmentId: lms.assignmentId, linkId: link.link_id } })
    toast.success('Activity detached.')
    lms.refresh()
  }
  return (
    <AskFirst
      button={(ask) => (
        <Button variant="subtle" className={classes.again} aria-label={`Detach activity: ${label}`} onClick={ask}>
          Detach activity
        </Button>
      )}
      title="Detach this activity?"
      confirmLabel="Detach activity"
      onConfirm={detach}
    >
      <p>
        <strong>{label}</strong> no longer counts for this assignment. Papers and grades in Assay stay, and so does what{' '}
        {name} has.
      </p>
      <p>If somebody opens the activity from {name} again, it is attached again and gets its scores.</p>
    </AskFirst>
  )
}
