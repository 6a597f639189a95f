import type { ErasurePreview } from '@assay/shared/personal-data.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import type { Role } from '@assay/shared/users.ts'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './PersonalData.module.css'

export function ErasureSummary({ preview, role, self }: { preview: ErasurePreview; role: Role; self: boolean }) {
  const { papers, retained_grades, courses_left, courses_deleted, assignments_deleted, lms_names } = preview
  const [their, they] = self ? ['your', 'you'] : ['the', 'they']
  const placeholder = `“Deleted ${role === 'admin' ? 'administrator' : role} 4f2a”`
  return (
    <>
      <h3 className={classes.heading}>What is deleted</h3>
      <ul className={classes.list}>
        <li>{self ? 'Your name' : 'Name'}, username, email address, password and course memberships</li>
        {papers > 0 && (
          <li>
            {plural(papers, 'paper')}, with everything read from {papers === 1 ? 'it' : 'them'}, points, feedback and
            regrade requests
          </li>
        )}
        {courses_deleted > 0 && <li>{plural(courses_deleted, 'course')} without students or papers</li>}
        {assignments_deleted > 0 && <li>{plural(assignments_deleted, 'assignment')} outside any course</li>}
      </ul>
      <h3 className={classes.heading}>What the school keeps, without {their} name</h3>
      <ul className={classes.list}>
        {retained_grades > 0 && (
          <li>
            {plural(retained_grades, 'released score')}, under a placeholder such as {placeholder}
          </li>
        )}
        {courses_left > 0 && (
          <li>
            What {they} made in {plural(courses_left, 'course')} that others teach
          </li>
        )}
        <li>The audit log’s record of what was done and when, with the words removed</li>
      </ul>
      {lms_names.length > 0 && (
        <Notice tone="warn">
          {listOf(lms_names)} still {lms_names.length === 1 ? 'lists' : 'list'} {self ? 'you' : 'this person'}. With{' '}
          {lms_names.length === 1 ? 'its' : 'their'} next list of members, or when {self ? 'you open' : 'they open'}{' '}
          Assay there, a new account is created.
          {self ? ' Ask your school to remove you from its courses first.' : ' Remove them from its courses first.'}
        </Notice>
      )}
    </>
  )
}

export function ErasureBlockers({ blockers }: { blockers: string[] }) {
  return (
    <Notice tone="warn" title="This account cannot be deleted yet">
      {blockers.length === 1 ? (
        blockers[0]
      ) : (
        <ul className={classes.list}>
          {blockers.map((blocker) => (
            <li key={blocker}>{blocker}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
