import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import { type CurrentRubric, generateRubric, getRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { bonusPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { Announcer } from '../../components/feedback/Announcer.tsx'
import { UnsavedChangesModal } from '../../components/feedback/ConfirmModal.tsx'
import { EmptyState, PapersIllustration } from '../../components/feedback/EmptyState.tsx'
import { LoadError, Page, PageHeader, PageSkeleton } from '../../components/layout/Page.tsx'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatPoints, plural } from '../../lib/format.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { useRowFocus } from '../../lib/hooks/useRowFocus.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { tryWithToast } from '../../lib/toast.ts'
import { submissionsPath } from '../../paths.ts'
import { choicePath, parseIds } from '../lti/deep-linking/choice-paths.ts'
import { ProcessDialog, useGradingProcess } from '../runs/ProcessDialog.tsx'
import { ChangeManyModal } from './editor/ChangeManyModal.tsx'
import { PasteKeyButton, PasteKeyForm } from './editor/PasteKeyForm.tsx'
import { QuestionList } from './editor/QuestionList.tsx'
import classes from './editor/RubricEditor.module.css'
import { RubricPapersPane, RubricPapersSheet } from './papers/RubricPapersPane.tsx'
import { RubricPapersProvider } from './papers/useRubricPapers.tsx'
import { ProblemsPanel } from './problems/ProblemsPanel.tsx'
import { RubricNotices } from './RubricNotices.tsx'
import { RubricToolbar } from './RubricToolbar.tsx'
import { addQuestion } from './rubric-draft.ts'
import { useRubricDraft } from './useRubricDraft.ts'
import { SaveBar } from './versions/SaveBar.tsx'

/** In ms, while a rubric is being made or papers are graded by it. */
const POLL_INTERVAL_MS = 1500

export function RubricPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const rubric = useGet(getRubric, { assignmentId }, undefined, {
    refreshIntervalMs: (data) => (data?.held || data?.generation?.state === 'running' ? POLL_INTERVAL_MS : 0),
  })
  if (assignment.data && rubric.data)
    return (
      <RubricEditor
        // Unsaved text of one assignment must not appear in the next.
        key={assignmentId}
        assignment={assignment.data}
        current={rubric.data}
        put={(next) => rubric.patch(() => next)}
        reload={rubric.reload}
      />
    )
  const failed = [assignment, rubric].find(({ data, error }) => data === undefined && error)
  if (failed?.error) {
    return (
      <Page width="reading">
        <PageHeader title="Rubric" />
        <LoadError
          error={failed.error}
          retry={() => Promise.all([assignment.reload(), rubric.reload()])}
          title="Error Loading Rubric"
        >
          <LinkButton to="/dashboard">Back to Dashboard</LinkButton>
        </LoadError>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the rubric" />
}

interface Props {
  assignment: Assignment
  current: CurrentRubric
  put: (current: CurrentRubric) => void
  reload: () => Promise<unknown>
}

function RubricEditor({ assignment, current, put, reload }: Props) {
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
                        <SecondaryButton data-focus="add-question" onClick={add}>
                          Write it yourself
                        </SecondaryButton>
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
                    <PasteKeyButton />
                    <SecondaryButton onClick={() => setChangingMany(true)}>Change many questions…</SecondaryButton>
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
                    <SecondaryButton
                      leftSection={<IconPlus size={16} aria-hidden />}
                      data-focus="add-question"
                      onClick={add}
                    >
                      Add a question
                    </SecondaryButton>
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
                    void navigate(choosing ?? submissionsPath(assignment.id))
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
  return [{ label: 'Dashboard', to: '/dashboard' }, { label: title, to: submissionsPath(id) }, { label: 'Rubric' }]
}

function useChoicePath(): string | null {
  const [search] = useSearchParams()
  return search.get('for') === 'choice' ? choicePath(parseIds(search.get('chosen')).map(String)) : null
}

function CreateRubricButtons({ assignment, current, put }: Omit<Props, 'reload'>) {
  const make = useSend(generateRubric)
  const begin = (by: 'rules' | 'model') =>
    tryWithToast('Could not create the rubric.', async () =>
      put(await make.send({ params: { assignmentId: assignment.id }, body: { by } })),
    )
  const [search, setSearch] = useSearchParams()
  const asked = search.has('create')
  const begun = useRef(false)
  useEffect(() => {
    if (!asked || begun.current) return
    begun.current = true
    setSearch(
      (now) => {
        now.delete('create')
        return now
      },
      { replace: true },
    )
    void begin('rules')
  })
  return (
    <>
      <Button loading={make.sending} onClick={() => void begin('rules')}>
        Create from blank and key
      </Button>
      {current.model && (
        <SecondaryButton loading={make.sending} onClick={() => void begin('model')}>
          Create with {current.model}
        </SecondaryButton>
      )}
    </>
  )
}
