import type { StudentPerformance } from '@assay/shared/analytics.ts'
import { describe, expect, it } from 'vitest'
import { type Sorting, sortStudents } from './StudentTable.tsx'

const student = (student_name: string, part: Partial<StudentPerformance>): StudentPerformance => ({
  student_id: 1,
  student_name,
  completion_rate: null,
  average_grade: null,
  performance_trend: null,
  completed_assignments: 0,
  total_assignments: 0,
  last_activity: null,
  is_struggling: false,
  concerns: [],
  ...part,
})

const students = [
  student('Cy', {}),
  student('ada', { completion_rate: 50, average_grade: 90, performance_trend: 'stable' }),
  student('Dee', {}),
  student('Ben', { completion_rate: 100, average_grade: 0, performance_trend: 'improving' }),
  student('Eve', { completion_rate: 0, average_grade: 70, performance_trend: 'declining' }),
]

const names = (sorting: Sorting) => sortStudents(students, sorting).map(({ student_name }) => student_name)

describe('the students’ table', () => {
  it('sorts missing values last either way, and is stable', () => {
    expect(names({ column: 'completion_rate', direction: 'ascending' })).toEqual(['Eve', 'ada', 'Ben', 'Cy', 'Dee'])
    expect(names({ column: 'average_grade', direction: 'ascending' })).toEqual(['Ben', 'Eve', 'ada', 'Cy', 'Dee'])
    expect(names({ column: 'average_grade', direction: 'descending' })).toEqual(['ada', 'Eve', 'Ben', 'Cy', 'Dee'])
  })

  it('sorts trends by where they go, and names as people do', () => {
    expect(names({ column: 'performance_trend', direction: 'descending' })).toEqual(['Ben', 'ada', 'Eve', 'Cy', 'Dee'])
    expect(names({ column: 'student_name', direction: 'ascending' })).toEqual(['ada', 'Ben', 'Cy', 'Dee', 'Eve'])
  })
})
