import {
  createPrint,
  getAnswerSheetQuestions,
  getPrintedCopies,
  getSeparatorSheets,
  listPrints,
} from '@assay/shared/printing.ts'
import type { Router } from 'express'
import { handle } from '../../../lib/http/handle.ts'
import { fileToSave } from '../../../lib/http/made-file.ts'
import { PrintModel } from '../../../records/assignments/print.model.ts'
import type { Services } from '../../../services.ts'
import { requireNamesShown } from '../../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import { loadMatchingRoster } from '../../submissions/matching/name-index.ts'
import {
  drawPrint,
  isForStudents,
  presentPrint,
  presentSheetQuestions,
  requirePrint,
  storePrint,
} from './print.service.ts'

export function printRoutes(router: Router, services: Services): void {
  handle(router, createPrint, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (body.students) requireNamesShown(assignment)
    return presentPrint(assignment, await storePrint(assignment, body, actor, services))
  })

  handle(router, getAnswerSheetQuestions, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const roster = await loadMatchingRoster(assignment.course_id)
    return presentSheetQuestions(assignment.rubric, roster)
  })

  handle(router, listPrints, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const prints = await PrintModel.find({ assignment_id: assignment._id }).sort({ _id: -1 }).lean()
    return prints.map((print) => presentPrint(assignment, print))
  })

  handle(router, getPrintedCopies, async ({ params, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const print = await requirePrint(params)
    // Copies are in the order of names, even where they show none.
    if (isForStudents(print)) requireNamesShown(assignment)
    const bytes = await drawPrint(assignment, print, services, signal)
    const name = `assignment_${assignment._id}_${print.sheet ? 'sheets' : 'copies'}_${print._id}.pdf`
    return fileToSave(name, 'application/pdf', bytes)
  })

  handle(router, getSeparatorSheets, async ({ params, query, actor }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const bytes = await services.papers.printSeparators(query.sheets)
    return fileToSave('separator_sheets.pdf', 'application/pdf', bytes)
  })
}
