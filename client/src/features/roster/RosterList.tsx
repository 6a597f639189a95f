import { type CourseDetail, type CourseStudent, listCourseStudents } from '@assay/shared/courses.ts'
import {
  getInvitationLimit,
  inviteRoster,
  removeFromRoster,
  renameRosterStudent,
  resendRosterInvitation,
} from '@assay/shared/roster.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { InitialsAvatar } from '../../components/display/InitialsAvatar.tsx'
import { PageNumbers } from '../../components/display/ListPagination.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { EmptyState, PeopleIllustration } from '../../components/feedback/EmptyState.tsx'
import { LoadError, Panel, PanelList, RowSkeletons } from '../../components/layout/Page.tsx'
import { type QueryResult, useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { toast, tryWithToast } from '../../lib/toast.ts'
import { LmsRemovalNote } from '../lti/roster/AddNonLmsPeople.tsx'
import classes from './RosterPage.module.css'
import type { RosterMessage } from './roster-message.ts'

const PAGE_SIZE = 100

interface Props {
  course: CourseDetail
  waiting: number
  showMessage: (message: RosterMessage | null) => void
  changed: () => void
}

export function RosterList({ course, waiting, showMessage, changed }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [page, setPage] = useState(1)
  const [leaving, setLeaving] = useState<CourseStudent | null>(null)
  const remove = useSend(removeFromRoster)
  const invitation = useSend(resendRosterInvitation)
  const rename = useSend(renameRosterStudent)
  const [renaming, setRenaming] = useState<{ student: CourseStudent; name: string } | null>(null)
  const [inviting, setInviting] = useState<number | null>(null)
  const list = useGet(
    listCourseStudents,
    { courseId: course.id },
    { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...(search ? { search } : {}) },
    // Searching does not flicker.
    { keepPreviousData: true },
  )
  const shown = list.data
  const total = list.total ?? shown?.length ?? 0
  const all = course.student_count + waiting

  async function removeStudent(student: CourseStudent) {
    showMessage(null)
    const { success, message } = await remove.send({ params: { courseId: course.id, studentId: student.id } })
    showMessage({ tone: success ? 'note' : 'bad', text: message })
    if (shown?.length === 1 && page > 1) setPage(page - 1)
    changed()
  }

  async function renameStudent({ student, name }: { student: CourseStudent; name: string }) {
    showMessage(null)
    const params = { courseId: course.id, studentId: student.id }
    const { success, message } = await rename.send({ params, body: { full_name: name } })
    showMessage({ tone: success ? 'note' : 'bad', text: message })
    changed()
  }

  async function invite(student: CourseStudent) {
    showMessage(null)
    setInviting(student.id)
    await tryWithToast('The invitation could not be sent.', async () => {
      const params = { courseId: course.id, studentId: student.id }
      const { success, message } = await invitation.send({ params })
      if (success) toast.success(message)
      else toast.error(message)
    })
    setInviting(null)
    if (student.never_invited) changed()
  }

  return (
    <Panel
      title={`Current Roster (${all})`}
      actions={
        <>
          {course.lms_names.length === 0 && (
            <InviteAll courseId={course.id} showMessage={showMessage} changed={changed} />
          )}
          <Button variant="default" loading={list.refreshing} onClick={changed}>
            Refresh
          </Button>
        </>
      }
    >
      <div className={classes.tools}>
        <TextInput
          className={classes.search}
          aria-label="Search students by name, email or number"
          placeholder="Search by name, email or number"
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setPage(1)
          }}
        />
        <p className={classes.count} aria-live="polite">
          {search && shown
            ? `${total} of ${plural(all, 'student')} shown`
            : `${plural(course.student_count, 'student')} enrolled`}
        </p>
      </div>
      <Rows
        lms={course.lms_names}
        list={list}
        searching={search !== ''}
        row={(student) => (
          <RosterRow
            key={`${student.state}/${student.id}`}
            student={student}
            removing={remove.sending && leaving?.id === student.id}
            remove={() => setLeaving(student)}
            rename={() => setRenaming({ student, name: student.full_name ?? '' })}
            inviting={inviting === student.id}
            invite={() => void invite(student)}
          />
        )}
      />
      {total > PAGE_SIZE && (
        <div className={classes.pages}>
          <PageNumbers page={page} pages={Math.ceil(total / PAGE_SIZE)} setPage={setPage} />
        </div>
      )}
      <ConfirmModal
        opened={leaving !== null}
        close={() => setLeaving(null)}
        title={`Remove ${leaving ? nameOf(leaving) : ''}?`}
        confirmLabel="Remove"
        dangerous
        failed="Failed to remove student. Please try again."
        onConfirm={() => (leaving ? removeStudent(leaving) : undefined)}
      >
        <p>Are you sure you want to remove {leaving && nameOf(leaving)} from this course?</p>
        <p>
          {leaving?.state === 'waiting'
            ? 'Their pending enrollment is removed.'
            : 'They will no longer see the course or its grades. Their papers and grades are kept.'}
        </p>
        {leaving?.added_by === 'lms' && <LmsRemovalNote />}
      </ConfirmModal>
      <ConfirmModal
        opened={renaming !== null}
        close={() => setRenaming(null)}
        title={`Rename ${renaming ? nameOf(renaming.student) : ''}`}
        confirmLabel="Rename"
        disabled={!renaming?.name.trim()}
        failed="The student could not be renamed."
        onConfirm={() => (renaming ? renameStudent(renaming) : undefined)}
      >
        <TextInput
          label="Full name"
          maxLength={200}
          value={renaming?.name ?? ''}
          onChange={({ currentTarget: { value } }) => setRenaming((now) => now && { ...now, name: value })}
        />
      </ConfirmModal>
    </Panel>
  )
}

interface RowsProps {
  lms: readonly string[]
  list: QueryResult<CourseStudent[]>
  searching: boolean
  row: (student: CourseStudent) => ReactNode
}

function Rows({ lms, list: { data, isPrevious, error, reload }, searching, row }: RowsProps) {
  if (data && data.length > 0) {
    return (
      <div className={isPrevious ? classes.stale : undefined} aria-busy={isPrevious}>
        <PanelList label="Students">{data.map(row)}</PanelList>
      </div>
    )
  }
  if (data && searching) return <p className={classes.count}>No students match your search.</p>
  if (data) {
    return (
      <EmptyState illustration={<PeopleIllustration />} title="No students enrolled" titleOrder={3}>
        {lms.length > 0
          ? `Students are added from ${listOf(lms)} when the roster syncs or when they open Assay there.`
          : 'Add students one by one or with a CSV file above, or share the course code.'}
      </EmptyState>
    )
  }
  if (error) return <LoadError error={error} retry={reload} title="Failed to load students" />
  return <RowSkeletons label="Loading students" />
}

interface RosterRowProps {
  student: CourseStudent
  inviting: boolean
  invite: () => void
  removing: boolean
  remove: () => void
  rename: () => void
}

function RosterRow({ student, inviting, invite, removing, remove, rename }: RosterRowProps) {
  const { email, state, never_invited, external_user_id, sis_user_id, added_by, test_student, can_rename } = student
  const name = nameOf(student)
  const invitation = never_invited ? 'Send invitation' : 'Resend invitation'
  const ids = [
    added_by === 'lms' && 'From the LMS',
    test_student && 'Test student',
    external_user_id && `External ID ${external_user_id}`,
    sis_user_id && `Student number ${sis_user_id}`,
  ]
  return (
    <li className={classes.row}>
      <InitialsAvatar name={name} />
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        {email && email !== name && <span>{email}</span>}
      </div>
      <span className={classes.ids}>{ids.filter(Boolean).join(' · ')}</span>
      {state === 'invited' && !email && <StatusBadge status="pending">No email address</StatusBadge>}
      {state === 'invited' && email && (
        <StatusBadge status="pending">{never_invited ? 'Not invited yet' : 'Invited'}</StatusBadge>
      )}
      {state === 'waiting' && (
        <StatusBadge status="upcoming">{`Waiting for ${email ? 'confirmation' : 'acceptance'}`}</StatusBadge>
      )}
      {state === 'enrolled' && <StatusBadge status="submitted">Enrolled</StatusBadge>}
      {state !== 'enrolled' && email && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.quiet}
          aria-label={`${invitation} to ${name}`}
          loading={inviting}
          onClick={invite}
        >
          {invitation}
        </Button>
      )}
      {can_rename && (
        <Button variant="subtle" color="gray" className={classes.quiet} aria-label={`Rename ${name}`} onClick={rename}>
          Rename
        </Button>
      )}
      <Button
        variant="subtle"
        color="gray"
        className={`${classes.quiet} ${classes.remove}`}
        aria-label={removing ? undefined : `Remove ${name}`}
        disabled={removing}
        onClick={remove}
      >
        {removing ? 'Removing...' : 'Remove'}
      </Button>
    </li>
  )
}

interface InviteAllProps {
  courseId: number
  showMessage: (message: RosterMessage | null) => void
  changed: () => void
}

function InviteAll({ courseId, showMessage, changed }: InviteAllProps) {
  const limit = useGet(getInvitationLimit, { courseId })
  const sending = useSend(inviteRoster)
  const [asking, setAsking] = useState(false)
  const waiting = limit.data?.not_invited ?? 0
  const today = Math.min(waiting, limit.data?.left ?? 0)

  async function invite() {
    showMessage(null)
    const { success, message } = await sending.send({ params: { courseId } })
    showMessage({ tone: success ? 'note' : 'bad', text: message })
    changed()
  }

  return (
    <>
      {waiting > 0 && (
        <Button variant="default" loading={sending.sending} onClick={() => setAsking(true)}>
          Invite all not yet invited ({formatCount(waiting)})
        </Button>
      )}
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title={`Invite ${plural(waiting, 'student')}?`}
        confirmLabel={`Send ${plural(today, 'invitation')}`}
        disabled={today === 0}
        failed="The invitations could not be sent."
        onConfirm={invite}
      >
        <p>Each student gets an email with a link to set a password for their account.</p>
        {today < waiting && (
          <p>
            You can send {formatCount(today)} of these invitations today. Invite the other{' '}
            {plural(waiting - today, 'student')} tomorrow, or ask your administrator for a higher limit.
          </p>
        )}
      </ConfirmModal>
    </>
  )
}
