import { createAssignment } from '@assay/shared/assignments.ts'
import { type ClassScan, getClassScan, uploadClassScan } from '@assay/shared/class-scans.ts'
import { expect, vi } from 'vitest'
import type { Caller } from './api.ts'

export async function createExam(teacher: Caller, courseId: number, pdf: Buffer, name = 'Science'): Promise<number> {
  const blank = { name: 'blank.pdf', bytes: pdf }
  const files = { blank_pdf: [blank], answer_key_pdf: [blank] }
  return (await teacher.send(createAssignment, { body: { name, course_id: courseId }, files })).body.id
}

/** `open` asks how the uploaded stack stands, `ready` waits until its papers are proposed. */
export async function analyseClassScan(
  teacher: Caller,
  params: { assignmentId: number },
  stack: Buffer,
  split: { split_by?: 'page_count'; pages_per_paper?: number } = {},
) {
  const files = { files: [{ name: 'a.pdf', bytes: stack }] }
  const uploaded = await teacher.send(uploadClassScan, { params, body: split, files })
  const ids = { ...params, scanId: uploaded.body.id }
  const open = async (): Promise<ClassScan> => (await teacher.send(getClassScan, { params: ids })).body
  const ready = async (): Promise<ClassScan> => {
    await vi.waitFor(async () => expect(await open()).toMatchObject({ state: 'ready', failure: null }), {
      timeout: 180_000,
      interval: 200,
    })
    return open()
  }
  await ready()
  return { ids, open, ready }
}
