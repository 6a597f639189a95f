import type { Submission } from '@assay/shared/submissions.ts'
import type { Transcription } from '@assay/shared/transcriptions.ts'
import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { ScoreBadge } from '../../components/display/ScoreBadge.tsx'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Loaded } from '../../components/layout/Page.tsx'
import { SideSheet } from '../../components/layout/SideSheet.tsx'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import type { HighlightSelection } from '../../lib/hooks/useHighlightSelection.ts'
import { TranscribedAnswerCard, TranscribedLineRow } from './TranscribedAnswerCard.tsx'
import classes from './TranscriptionPanel.module.css'
import { lowConfidenceAnswers, otherLines } from './transcribed-lines.ts'

interface Props {
  submission: Submission
  loaded: QueryResult<Transcription>
  highlightSelection: HighlightSelection
  select: (group: string) => void
  sheetOpen: boolean
  setSheetOpen: (open: boolean) => void
  close: () => void
}

export function TranscriptionPanel({
  submission,
  loaded,
  highlightSelection,
  select,
  sheetOpen,
  setSheetOpen,
  close,
}: Props) {
  const { grade } = submission
  const score = grade && (
    <ScoreBadge
      score={grade.final_score_after_review}
      partial={grade.unscored_points > 0}
      who={grade.manual_score_override === null ? 'ai' : 'teacher'}
    />
  )
  return (
    <SideSheet
      label="Transcription"
      open={sheetOpen}
      setOpen={setSheetOpen}
      edge={
        <>
          <strong>Transcription</strong>
          {score}
        </>
      }
    >
      <div className={classes.root}>
        <header className={classes.head}>
          <h2 className="subheading">Transcription</h2>
          {score}
          <Tooltip label="Back to the grade (t)">
            <ActionIcon color="gray" size={36} aria-label="Back to the grade" onClick={close} className={classes.close}>
              <IconX size={18} />
            </ActionIcon>
          </Tooltip>
        </header>
        <Loaded
          query={loaded}
          title="The transcription could not be loaded"
          fallback="Try again in a moment."
          skeleton={
            <div role="status" aria-label="Loading what was read" className={classes.answers}>
              {[1, 2, 3].map((one) => (
                <Skeleton key={one} height={92} radius={7} />
              ))}
            </div>
          }
        >
          {(data) =>
            data.read ? (
              <>
                <LowConfidenceNotice read={data} />
                {data.page_order && (
                  <Notice>
                    The pages were scanned out of order. They were read in this order: {data.page_order.join(', ')}.
                  </Notice>
                )}
                <ol className={classes.answers}>
                  {data.answers.map((answer) => (
                    <TranscribedAnswerCard
                      key={answer.question_id}
                      submission={submission}
                      answer={answer}
                      highlightSelection={highlightSelection}
                      select={select}
                      transcription={data}
                      changed={loaded.reload}
                    />
                  ))}
                </ol>
                <OtherLines transcription={data} highlightSelection={highlightSelection} select={select} />
              </>
            ) : (
              <EmptyState title="Not read yet">
                {submission.status === 'failed'
                  ? 'This paper could not be read. See the grade panel for the reason.'
                  : 'The paper is read when it is graded. Process the assignment first.'}
              </EmptyState>
            )
          }
        </Loaded>
      </div>
    </SideSheet>
  )
}

function LowConfidenceNotice({ read }: { read: Transcription }) {
  const poor = lowConfidenceAnswers(read)
  if (poor.length === 0) return null
  const which = poor.length === 1 ? `Answer ${poor[0]?.number}` : `${poor.length} answers`
  return (
    <Notice tone="warn" title={`${which} may be misread`}>
      {read.model
        ? 'Compare with the page and correct misread text. The answer is then regraded.'
        : 'No handwriting model is set up, so this text is only a hint. Compare with the page and correct misread text. The answer is then regraded.'}
    </Notice>
  )
}

interface OtherLinesProps {
  transcription: Transcription
  highlightSelection: HighlightSelection
  select: (group: string) => void
}

function OtherLines({ transcription, highlightSelection, select }: OtherLinesProps) {
  const lines = otherLines(transcription)
  if (lines.length === 0) return null
  const pages = [...Map.groupBy(lines, ({ page }) => page)]
  // Chosen on the paper, a line must be there to be seen.
  const open = lines.some(({ group }) => group === highlightSelection.selected)
  return (
    <details className={classes.otherLines} open={open || undefined}>
      <summary>Other lines on the page ({lines.length})</summary>
      {pages.map(([page, own]) => (
        <div key={page}>
          {pages.length > 1 && <h3 className={classes.page}>Page {page}</h3>}
          {own.map((line) => (
            <TranscribedLineRow key={line.group} line={line} highlightSelection={highlightSelection} select={select} />
          ))}
        </div>
      ))}
    </details>
  )
}
