import {
  deactivatePlatform,
  deletePlatform,
  type Platform,
  reactivatePlatform,
} from '@assay/shared/lti/lti-platforms.ts'
import { updateRegistration } from '@assay/shared/lti/lti-registration.ts'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { MoreMenu } from '../../../components/display/MoreMenu.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'

export function PlatformActions({ platform, changed }: { platform: Platform; changed: (after: Platform) => void }) {
  const [asked, setAsked] = useState<'off' | 'on' | 'delete' | 'update' | null>(null)
  const off = useSend(deactivatePlatform)
  const on = useSend(reactivatePlatform)
  const remove = useSend(deletePlatform)
  const update = useSend(updateRegistration)
  const refresh = useRevalidate()
  const navigate = useNavigate()
  const { name, id, status } = platform
  const params = { platformId: id }

  async function change(sending: Promise<Platform>, message: string) {
    changed(await sending)
    toast.success(message)
    void refresh('/admin')
  }

  const questions = {
    off: {
      title: `Deactivate ${name}?`,
      confirmLabel: 'Deactivate',
      dangerous: true,
      onConfirm: () => change(off.send({ params }), `${name} has been deactivated.`),
      words:
        'Nobody can open Assay from it any more, and everyone using it there is signed out immediately. Courses, papers and grades are kept. You can reactivate it at any time.',
    },
    on: {
      title: `Reactivate ${name}?`,
      confirmLabel: 'Reactivate',
      onConfirm: () => change(on.send({ params }), `${name} has been reactivated.`),
      words: 'Its teachers and students can open Assay from their courses again.',
    },
    update: {
      title: 'Update the registration at the LMS?',
      confirmLabel: 'Update',
      onConfirm: () => change(update.send({ params }), `${name} has been updated.`),
      words: `Sends ${name} Assay’s current address, launch types and requested permissions. Do this after the address has changed or Assay has been updated.`,
    },
    delete: {
      title: `Delete ${name}?`,
      confirmLabel: 'Delete',
      dangerous: true,
      onConfirm: async () => {
        const { message } = await remove.send({ params })
        toast.success(message)
        void refresh('/admin')
        void navigate('/admin/lms')
      },
      words:
        'Its values and keys are permanently deleted. This is only possible while no course, link or person comes from it.',
    },
  }

  return (
    <>
      <MoreMenu label={`Actions for ${name}`} width={280} variant="default" size={44} iconSize={20}>
        {platform.can_update_registration && (
          <Menu.Item onClick={() => setAsked('update')}>Update the registration at the LMS</Menu.Item>
        )}
        <Menu.Item onClick={() => setAsked(status === 'off' ? 'on' : 'off')}>
          {status === 'off' ? 'Reactivate' : 'Deactivate'}
        </Menu.Item>
        <Menu.Item onClick={() => setAsked('delete')}>Delete</Menu.Item>
      </MoreMenu>
      {Object.entries(questions).map(([action, { words, ...question }]) => (
        <ConfirmModal key={action} opened={asked === action} close={() => setAsked(null)} {...question}>
          <p>{words}</p>
        </ConfirmModal>
      ))}
    </>
  )
}
