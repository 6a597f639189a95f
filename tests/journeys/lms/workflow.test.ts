import { it } from 'vitest'
import { runLmsWorkflow, useSchool } from '../support/lms-workflow.ts'

const school = useSchool({ kind: 'canvas' })

it('Workflow from an LMS: sends a class’s grades from papers to Canvas’s gradebook, without any password', async () => {
  await runLmsWorkflow(school, 'canvas')
})
