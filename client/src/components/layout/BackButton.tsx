import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'

export function BackButton({ to, label, className }: { to: string; label: string; className?: string | undefined }) {
  return (
    <ActionIcon component={Link} to={to} color="gray" size={36} aria-label={label} className={className}>
      <IconArrowLeft size={20} />
    </ActionIcon>
  )
}
