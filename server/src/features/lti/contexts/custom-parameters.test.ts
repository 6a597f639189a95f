import { expect, it } from 'vitest'
import { contextHistoryOf, customAssignmentId, linkHistoryOf } from './resource-link.service.ts'

it.each([
  [{ context_id_history: 'c2,c1' }, ['c2', 'c1']],
  [{ context_history: 'c%2C2, c1' }, ['c,2', 'c1']],
  [{ 'Context.id.history': 'c1' }, ['c1']],
  // Not substituted under our name, but sent under the variable's own.
  [{ context_id_history: '$Context.id.history', 'Context.id.history': 'c1' }, ['c1']],
  [{ context_id_history: '$Context.id.history' }, []],
  [{ context_id_history: '' }, []],
  [{ context_id_history: '100%' }, ['100%']],
  [{}, []],
])('reads what a course was copied from: %j', (custom, ids) => {
  expect(contextHistoryOf(custom)).toEqual(ids)
})

it('reads what a link was copied from, apart from its course', () => {
  expect(linkHistoryOf({ resource_link_id_history: 'l2,l1', context_id_history: 'c1' })).toEqual(['l2', 'l1'])
})

it.each([
  ['17', 17],
  [' 17 ', 17],
  ['0', null],
  ['-1', null],
  ['1e3', null],
  ['17; drop', null],
  ['9999999999999999', null],
  ['$Assignment.id', null],
  ['', null],
])('takes %j for the assignment %j', (assignment_id, id) => {
  expect(customAssignmentId({ assignment_id })).toBe(id)
})
