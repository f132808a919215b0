/** The Python of the dulwich function on Amazon Linux 2023 and arm64, as pip names it. */
export const DULWICH_PYTHON = {
  version: '3.15',
  platforms: ['manylinux_2_28_aarch64', 'manylinux2014_aarch64'],
} as const;
