import type { Assignment } from '@assay/shared/assignments.ts'
import type { CurrentRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { bonusPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { Announcer } from '../../../components/feedback/Announcer.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { PapersIllustration } from '../../../components/feedback/illustrations.tsx'
import { UnsavedChangesModal } from '../../../components/feedback/UnsavedChangesModal.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { formatPoints, plural } from '../../../lib/format.ts'
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { choicePath } from '../../lti/deep-linking/choice-paths.ts'
import { parseIds } from '../../lti/deep-linking/useChosenAssignments.ts'
import { ProcessDialog } from '../../submissions/grading-run/ProcessDialog.tsx'
import { useGradingProcess } from '../../submissions/grading-run/useGradingProcess.ts'
import { CreateRubricButtons } from '../CreateRubricButtons.tsx'
import { RubricPapersPane, RubricPapersSheet } from '../papers/RubricPapersPane.tsx'
import { RubricPapersProvider } from '../papers/rubric-papers.tsx'
import { ProblemsPanel } from '../problems/ProblemsPanel.tsx'
import { RubricNotices } from '../RubricNotices.tsx'
import { RubricToolbar } from '../RubricToolbar.tsx'
import { addQuestion } from '../rubric-draft.ts'
import { useRubricDraft } from '../useRubricDraft.ts'
import { SaveBar } from '../versions/SaveBar.tsx'
import { ChangeManyModal } from './ChangeManyModal.tsx'
import { PasteKeyButton, PasteKeyForm } from './PasteKeyForm.tsx'
import { QuestionList } from './QuestionList.tsx'
import classes from './RubricEditor.module.css'
import { useRowFocus } from './useRowFocus.ts'

interface Props {
  assignment: Assignment
  current: CurrentRubric
  put: (current: CurrentRubric) => void
  reload: () => Promise<unknown>
}

export function RubricEditor({ assignment, current, put, reload }: Props) {
  const draft = useRubricDraft(current)
  const process = useGradingProcess(assignment.id, reload)
  const guard = useUnsavedChanges(draft.changed)
  const navigate = useNavigate()
  const choosing = useChoicePath()
  const roomy = useMediaQuery('(min-width: 80em)')
  const [search] = useSearchParams()
  const [asked] = useState(() => search.get('question'))
  const [open, setOpen] = useState(asked)
  const { root, focusNext } = useRowFocus<HTMLDivElement>(asked && `question-${asked}`)
  const [errorsShown, setErrorsShown] = useState(false)
  const [changingMany, setChangingMany] = useState(false)
  const [keyText, setKeyText] = useState('')
  const { rubric, change } = draft
  const generation = current.generation?.state === 'running'

  function openQuestion(questionId: string, focus?: string) {
    setOpen(questionId)
    focusNext(...(focus ? [focus] : []), `question-${questionId}`)
  }

  function saved(next: CurrentRubric, sent?: Rubric) {
    setErrorsShown(false)
    draft.saved(next, sent)
    put(next)
  }

  function add() {
    const next = addQuestion(rubric)
    change(next)
    setOpen(next.questions.at(-1)?.id ?? null)
  }

  const empty = rubric.questions.length === 0
  const bonus = bonusPoints(rubric)
  const papers = (
    <RubricPapersPane
      assignmentId={assignment.id}
      rubric={rubric}
      selected={open}
      select={openQuestion}
      sheet={!roomy}
    />
  )
  const keyForm = (
    <PasteKeyForm
      draft={draft}
      text={keyText}
      setText={setKeyText}
      closed={(questionId) => focusNext(...(empty ? [`question-${questionId}`] : []), 'paste-key')}
    />
  )
  return (
    <Announcer>
      <RubricPapersProvider assignmentId={assignment.id} draft={draft} blankPages={current.blank_pages}>
        <Page width="wide">
          <PageHeader
            title={empty || current.checked || current.graded > 0 ? 'Rubric' : 'Check the rubric'}
            tabTitle={`Rubric, ${assignment.title}`}
            crumbs={rubricCrumbs(assignment, choosing)}
            subtitle={
              empty
                ? 'Defines how papers are graded'
                : `${plural(rubric.questions.length, 'question')}, ${plural(totalPoints(rubric), 'point')} in total${bonus > 0 ? ` and ${formatPoints(bonus)} of bonus` : ''}`
            }
            actions={
              <RubricToolbar
                assignment={assignment}
                current={current}
                draft={draft}
                onImported={(next: Rubric) => {
                  change(next)
                  setOpen(null)
                }}
                saved={saved}
                put={put}
                withPapers={!roomy}
              />
            }
          />
          <div className={classes.panes} data-roomy={roomy || undefined}>
            {roomy && papers}
            <div className={classes.main} ref={root}>
              <RubricNotices assignment={assignment} current={current} draft={draft} process={process} put={put} />
              {roomy && keyForm}
              {empty ? (
                <EmptyState
                  illustration={<PapersIllustration />}
                  title={generation ? 'Creating the rubric' : 'No rubric yet'}
                  action={
                    generation ? null : (
                      <div className={classes.begin}>
                        <CreateRubricButtons assignment={assignment} current={current} put={put} />
                        <PasteKeyButton />
                        <Button variant="default" data-focus="add-question" onClick={add}>
                          Write it yourself
                        </Button>
                      </div>
                    )
                  }
                >
                  {generation
                    ? 'Reading the blank assignment and the answer key. The questions will appear here shortly.'
                    : 'It is created from the blank assignment and the answer key when you first grade papers. Create it now to review it first.'}
                </EmptyState>
              ) : (
                <>
                  <div className="centered-row">
                    <PasteKeyButton size="xs" />
                    <Button variant="default" size="xs" onClick={() => setChangingMany(true)}>
                      Change many questions…
                    </Button>
                  </div>
                  <ProblemsPanel draft={draft} openQuestion={openQuestion} changeMany={() => setChangingMany(true)} />
                  <QuestionList
                    draft={draft}
                    open={open}
                    setOpen={setOpen}
                    errors={errorsShown ? draft.errors : noErrors}
                    focusNext={focusNext}
                  />
                  <div>
                    <Button
                      variant="default"
                      leftSection={<IconPlus size={16} aria-hidden />}
                      data-focus="add-question"
                      onClick={add}
                    >
                      Add a question
                    </Button>
                  </div>
                </>
              )}
              {(!empty || draft.changed) && (
                <SaveBar
                  assignment={assignment}
                  current={current}
                  draft={draft}
                  errorsShown={errorsShown}
                  showErrors={(questionId) => {
                    setErrorsShown(true)
                    if (questionId !== null) setOpen(questionId)
                  }}
                  saved={saved}
                  confirmed={() => {
                    guard.allowNextNavigation()
                    navigate(choosing ?? `/assignments/${assignment.id}/submissions`)
                  }}
                  process={process}
                />
              )}
            </div>
            {roomy === false && (
              <RubricPapersSheet>
                {papers}
                {keyForm}
              </RubricPapersSheet>
            )}
          </div>
          <ChangeManyModal opened={changingMany} close={() => setChangingMany(false)} draft={draft} />
          <ProcessDialog process={process} />
          <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
            The rubric has unsaved changes that will be lost.
          </UnsavedChangesModal>
        </Page>
      </RubricPapersProvider>
    </Announcer>
  )
}

const noErrors = {}

function rubricCrumbs({ id, title }: Assignment, choosing: string | null) {
  if (choosing) return [{ label: 'Add assignments', to: choosing }, { label: title }]
  return [
    { label: 'Dashboard', to: '/dashboard' },
    { label: title, to: `/assignments/${id}/submissions` },
    { label: 'Rubric' },
  ]
}

/** Where assignments are being added to an LMS course, if that is what it is checked for. */
function useChoicePath(): string | null {
  const [search] = useSearchParams()
  return search.get('for') === 'choice' ? choicePath(parseIds(search.get('chosen')).map(String)) : null
}
