import { listSuspended } from '@assay/shared/lti/lti-roster.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button, Pagination } from '@mantine/core'
import { useId, useState } from 'react'
import { InitialsAvatar } from '../../../components/display/InitialsAvatar.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { PanelList } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../../lib/format.ts'
import classes from './LmsRosterPanel.module.css'

const PAGE_SIZE = 50

/** Whom the LMS lists no more: folded away, as mostly nobody asks. */
export function SuspendedPeople({ courseId, count }: { courseId: number; count: number }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={classes.suspended}>
      <Button
        variant="subtle"
        color="gray"
        className={classes.fold}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Hide' : 'Show'} {plural(count, 'suspended person', 'suspended people')}
      </Button>
      {open && (
        <div id={id}>
          <p className={classes.hint}>
            No longer listed by the LMS. Their work is kept, and their access returns when it lists them again.
          </p>
          <People courseId={courseId} />
        </div>
      )}
    </div>
  )
}

function People({ courseId }: { courseId: number }) {
  const [page, setPage] = useState(1)
  const query = { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
  const people = useGet(listSuspended, { courseId }, query, { keepPreviousData: true })
  if (!people.data) {
    if (people.error) return <LoadError error={people.error} retry={people.reload} />
    return <RowSkeletons label="Loading suspended people" />
  }
  // Suspended in one section and active in another: in the course all the same.
  if (people.data.length === 0)
    return <p className={classes.hint}>All of them are still in the course through another section.</p>
  const total = people.total ?? people.data.length
  return (
    <>
      <PanelList label="Suspended people">
        {people.data.map(({ user_id, username, full_name, email, role, lms_course, suspended_at }) => {
          const name = nameOf({ full_name, username })
          return (
            <li key={`${user_id} ${lms_course}`} className={classes.row}>
              <InitialsAvatar name={name} />
              <div className={classes.words}>
                <span className={classes.name}>{name}</span>
                {email && <span>{email}</span>}
              </div>
              <span className={classes.report}>
                {role === 'instructor' ? 'Instructor' : 'Student'} of {lms_course} until {formatDate(suspended_at)}
              </span>
            </li>
          )
        })}
      </PanelList>
      {total > PAGE_SIZE && (
        <Pagination
          className={classes.pages}
          total={Math.ceil(total / PAGE_SIZE)}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </>
  )
}
