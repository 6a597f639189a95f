import type { StudentAssignment } from '@assay/shared/students.ts'
import { Tabs } from '@mantine/core'
import { useSearchParams } from 'react-router-dom'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { EmptyTrayIllustration } from '../../../components/feedback/illustrations.tsx'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { filterLabels, matchesFilter, type WorkFilter, workFilters } from '../work-status.ts'
import classes from './AssignmentList.module.css'
import { StudentAssignmentCard } from './StudentAssignmentCard.tsx'

/** The course's assignments; the filter is in the URL. */
export function AssignmentList({ assignments }: { assignments: StudentAssignment[] }) {
  const [search, setSearch] = useSearchParams()
  const filter = workFilters.find((one) => one === search.get('show')) ?? 'all'
  const shown = (which: WorkFilter) => assignments.filter((one) => matchesFilter(one, which))
  const show = (value: string | null) =>
    setSearch(value && value !== 'all' ? { show: value } : {}, { replace: true, preventScrollReset: true })

  return (
    <Tabs value={filter} onChange={show} keepMounted={false}>
      <Tabs.List className={classes.tabs} aria-label="Assignments">
        {workFilters.map((which) => (
          <Tabs.Tab key={which} value={which} className={classes.tab}>
            {filterLabels[which]} <span className={classes.count}>{shown(which).length}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {workFilters.map((which) => (
        <Tabs.Panel key={which} value={which} className={classes.panel}>
          <h2 className={classes.hidden}>{filterLabels[which]}</h2>
          <List assignments={shown(which)} filter={which} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function List({ assignments, filter }: { assignments: StudentAssignment[]; filter: WorkFilter }) {
  if (assignments.length === 0) {
    return (
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        title={filter === 'all' ? 'No Assignments Yet' : `No ${filterLabels[filter]} Assignments`}
        titleOrder={3}
      >
        {filter === 'all' ? 'Assignments appear here once your instructor publishes them.' : undefined}
      </EmptyState>
    )
  }
  return (
    <>
      {assignments.some((one) => one.released_at !== null) && <AiDisclosureNote />}
      {assignments.map((assignment) => (
        <StudentAssignmentCard key={assignment.id} assignment={assignment} />
      ))}
    </>
  )
}
