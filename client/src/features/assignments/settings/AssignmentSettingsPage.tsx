import { type Assignment, getAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { listCourses } from '@assay/shared/courses.ts'
import type { GroupRule } from '@assay/shared/groups.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { DatesToPreview } from '@assay/shared/score-rules.ts'
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { CancelButton, LinkButton } from '../../../components/display/buttons.tsx'
import { UnsavedChanges } from '../../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { LoadError, Page, PageHeader, PageSkeleton, Panel } from '../../../components/layout/Page.tsx'
import { type QueryResult, useAttempt, useGet, useGetAll, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { fromLocalInput } from '../../../lib/local-time.ts'
import { toast } from '../../../lib/toast.ts'
import { groupsPath, rubricPath, submissionsPath } from '../../../paths.ts'
import { PreviewFigures, useDatesPreview } from '../../grades/score-rules/PreviewFigures.tsx'
import { ScoreRulesPanel } from '../../grades/score-rules/ScoreRulesPanel.tsx'
import { GroupRuleFields, groupRuleOf, groupRuleValuesOf } from '../../groups/GroupRuleFields.tsx'
import { AssignmentBadges } from '../AssignmentBadges.tsx'
import { ShowNamesModal, useNamesHidden } from '../anonymous-grading/ShowNamesModal.tsx'
import { DateFields, dateErrors, dateValuesOf } from '../DateFields.tsx'
import classes from './AssignmentSettingsPage.module.css'
import { Extensions } from './Extensions.tsx'

export function AssignmentSettingsPage() {
  const ids = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, ids)
  if (assignment.data) return <Settings key={assignment.data.id} assignment={assignment.data} loaded={assignment} />
  if (assignment.error) {
    return (
      <Page width="reading">
        <PageHeader title="Assignment settings" />
        <LoadError error={assignment.error} retry={assignment.reload} title="Error Loading Assignment">
          <LinkButton to="/dashboard">Back to Dashboard</LinkButton>
        </LoadError>
      </Page>
    )
  }
  return <PageSkeleton label="Loading settings" />
}

function Settings({ assignment, loaded }: { assignment: Assignment; loaded: QueryResult<Assignment> }) {
  const [settingsChanged, setSettingsChanged] = useState(false)
  const [extensionTyped, setExtensionTyped] = useState(false)
  // A router holds one blocker at a time.
  const submissions = submissionsPath(assignment.id)
  return (
    <Page width="reading">
      <PageHeader
        title="Settings"
        tabTitle={`Settings, ${assignment.title}`}
        crumbs={[
          { label: 'Dashboard', to: '/dashboard' },
          { label: assignment.title, to: submissions },
          { label: 'Settings' },
        ]}
        badge={<AssignmentBadges assignment={assignment} />}
        actions={
          <>
            <LinkButton to={groupsPath(assignment.id)}>Groups</LinkButton>
            <LinkButton to={rubricPath(assignment.id)}>Rubric</LinkButton>
          </>
        }
      />
      <AssignmentSettingsForm
        assignment={assignment}
        saved={(next) => loaded.patch(() => next)}
        setChanged={setSettingsChanged}
      />
      <AnonymousGradingPanel assignment={assignment} changed={(next) => loaded.patch(() => next)} />
      <ScoreRulesPanel assignment={assignment} />
      <Extensions assignment={assignment} setTyped={setExtensionTyped} />
      <UnsavedChanges when={settingsChanged || extensionTyped}>
        The settings have changes that are not saved. They would be lost.
      </UnsavedChanges>
    </Page>
  )
}

interface Props {
  assignment: Assignment
  saved: (assignment: Assignment) => void
  setChanged: (changed: boolean) => void
}

function AssignmentSettingsForm({ assignment, saved, setChanged }: Props) {
  const refresh = useRevalidate()
  const update = useSend(updateAssignment)
  const [base, setBase] = useState(() => settingsValuesOf(assignment))
  const form = useContractForm(updateAssignment, {
    initialValues: base,
    toBody: (values) => changedSettings(base, values),
    check: dateErrors,
  })
  const changed = hasChanges(base, form.values)
  useEffect(() => setChanged(changed), [changed, setChanged])

  const { preview, mayBeSaved } = useDatesPreview(assignment, changedDates(changedSettings(base, form.values)))

  const submit = form.submit(async (body) => {
    if (!(await mayBeSaved())) return
    const next = await update.send({ params: { assignmentId: assignment.id }, body })
    setBase(settingsValuesOf(next))
    form.setInitialValues(settingsValuesOf(next))
    form.setValues(settingsValuesOf(next))
    saved(next)
    toast.success('Settings saved.')
    void refresh('/assignments', '/courses')
  })

  return (
    <form className={classes.root} onSubmit={submit}>
      <TextInput label="Assignment name" maxLength={200} required {...form.getInputProps('name')} />
      <CourseField
        assignment={assignment}
        base={base.course_id}
        value={form.values.course_id}
        change={(course_id) => form.change({ course_id })}
        error={form.errors.course_id}
      />
      <GroupRuleFields
        values={form.values}
        change={form.change}
        error={form.errors.groups}
        disabled={form.submitting}
      />
      <DateFields values={form.values} change={form.change} errors={form.errors} disabled={form.submitting} />
      {preview && <PreviewFigures focused="nearest" preview={preview} assignment={assignment} />}
      <ErrorNotice error={form.failure} fallback="Failed to save changes." />
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={!changed || form.values.name.trim() === ''} loading={form.submitting}>
          {preview ? 'Save and Change Scores' : 'Save Changes'}
        </Button>
        {changed && <CancelButton size="sm" disabled={form.submitting} onClick={form.reset} />}
        <span className="hint" role="status">
          {changed && 'You have unsaved changes'}
        </span>
      </div>
    </form>
  )
}

interface CourseFieldProps {
  assignment: Assignment
  base: number | null
  value: number | null
  change: (courseId: number | null) => void
  error: ReactNode
}

function CourseField({ assignment, base, value, change, error }: CourseFieldProps) {
  const courses = useGetAll(listCourses).data ?? []
  const offered = courses.map(({ id, name }) => ({ value: String(id), label: name }))
  const own = assignment.course_id
  // An administrator's list may lack the assignment's own course.
  if (own !== null && !courses.some(({ id }) => id === own))
    offered.unshift({ value: String(own), label: assignment.course_name ?? `Course ${own}` })
  return (
    <NativeSelect
      label="Course"
      size="md"
      description={courseFieldHint(assignment, base, value)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={[...offered, { value: '', label: 'No course' }]}
      value={value === null ? '' : String(value)}
      onChange={(event) => change(Number(event.currentTarget.value) || null)}
      disabled={assignment.status === 'published'}
      error={error}
    />
  )
}

function courseFieldHint({ status, counts }: Assignment, base: number | null, value: number | null) {
  if (status === 'published') return 'Unpublish the assignment to change its course.'
  if (value === null) return 'Students cannot see an assignment without a course.'
  if (value !== base && base !== null && counts.submissions > 0)
    return 'Papers of students who are not in this course become unmatched until you match them to students. Extensions are not kept.'
  return undefined
}

type AssignmentSettingsValues = ReturnType<typeof settingsValuesOf>

const settingsValuesOf = (assignment: Assignment) => ({
  name: assignment.title,
  course_id: assignment.course_id,
  ...dateValuesOf(assignment),
  ...groupRuleValuesOf(assignment.groups),
})

/** Only these are sent: a colleague may have saved others meanwhile. */
function changedSettings(
  saved: AssignmentSettingsValues,
  now: AssignmentSettingsValues,
): BodyOf<typeof updateAssignment> {
  const moved = (field: 'available_at' | 'due_at' | 'closes_at') =>
    now[field] === saved[field] ? {} : { [field]: fromLocalInput(now[field]) }
  return {
    ...(now.name.trim() === saved.name ? {} : { name: now.name.trim() }),
    ...(now.course_id === saved.course_id ? {} : { course_id: now.course_id }),
    ...moved('available_at'),
    ...moved('due_at'),
    ...moved('closes_at'),
    ...(now.late_rule === saved.late_rule ? {} : { late_rule: now.late_rule }),
    ...(sameRule(groupRuleOf(now), groupRuleOf(saved)) ? {} : { groups: groupRuleOf(now) }),
  }
}

const sameRule = (a: GroupRule | null, b: GroupRule | null) => a?.max === b?.max && a?.by === b?.by

function changedDates({
  name: _name,
  course_id: _course,
  groups: _groups,
  ...dates
}: BodyOf<typeof updateAssignment>): DatesToPreview {
  return dates
}

function hasChanges(saved: AssignmentSettingsValues, now: AssignmentSettingsValues): boolean {
  return Object.keys(changedSettings(saved, now)).length > 0
}

interface AnonymousProps {
  assignment: Assignment
  changed: (assignment: Assignment) => void
}

function AnonymousGradingPanel({ assignment, changed }: AnonymousProps) {
  const { setHidden, sending } = useNamesHidden(assignment)
  const [asking, setAsking] = useState(false)
  const { attempt, failure } = useAttempt('Names could not be hidden.')
  const { names_hidden = false, times_shown = 0, last_shown = null } = assignment.anonymous ?? {}
  const hide = () => attempt(async () => changed(await setHidden(true)))
  return (
    <Panel title="Anonymous grading">
      <div className={classes.anonymous}>
        <Switch
          label="Hide names while grading"
          description="Graders see “Paper 417” instead of names, usernames and file names. Names on pages are covered. Students still see their own work."
          checked={names_hidden}
          disabled={sending}
          onChange={(event) => (event.currentTarget.checked ? void hide() : setAsking(true))}
        />
        {last_shown && (
          <p className="hint">
            {times_shown === 1 ? 'Names were shown once' : `Names were shown ${times_shown} times, last`} by{' '}
            {last_shown.by_name} on <time dateTime={last_shown.at}>{formatDateTime(last_shown.at)}</time>.
          </p>
        )}
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
      <ShowNamesModal assignment={assignment} opened={asking} close={() => setAsking(false)} shown={changed} />
    </Panel>
  )
}
