import { it } from 'vitest'
import { runLmsWorkflow } from '../support/lms-workflow.ts'
import { useSchool } from '../support/use-school.ts'

const school = useSchool({ kind: 'moodle' })

it('Workflow from an LMS: sends a class’s grades from papers to Moodle’s gradebook, without any password', async () => {
  await runLmsWorkflow(school, 'moodle')
})
