"""Boot sector of a small guest: it writes to its second disk on and on, and obeys the power button.

The ports are those where SeaBIOS puts ACPI's registers on QEMU's `pc`.
"""

from __future__ import annotations

from typing import Final

SECTOR: Final = 512
SIGNATURE: Final = b"\x55\xaa"
EVERY: Final = 128  # sectors from one write to the next; the first one is at this sector too
TICK_S: Final = 0.0549
SECOND_DISK: Final = 0x81  # by the order in which the BIOS may boot from them
CODE: Final = bytes.fromhex(
    "fa"  #                  cli
    "31c0"  #                xor  ax, ax
    "8ed8"  #                mov  ds, ax
    "8ec0"  #                mov  es, ax
    "8ed0"  #                mov  ss, ax
    "bc007c"  #              mov  sp, 7c00h
    "fb"  #                  sti
    "ba0206"  #              mov  dx, 602h              enable of PM1's events:
    "b80001"  #              mov  ax, 100h              the power button
    "ef"  #                  out  dx, ax
    "ba0006"  #      again:  mov  dx, 600h              status of PM1's events
    "ed"  #                  in   ax, dx
    "f6c401"  #              test ah, 1
    "753e"  #                jnz  button
    "f4"  #          wait:   hlt                        until the next tick, 55 ms
    "803e7c7c00"  #          cmp  byte [disk], 0
    "74ef"  #                je   again
    "8a167c7c"  #            mov  dl, [disk]
    "66a1747c"  #            mov  eax, [sector]         what is written begins with
    "bb0010"  #              mov  bx, 1000h             the number of its sector
    "8edb"  #                mov  ds, bx
    "66a30000"  #            mov  [0], eax
    "31db"  #                xor  bx, bx
    "8edb"  #                mov  ds, bx
    "b443"  #                mov  ah, 43h               extended write
    "b000"  #                mov  al, 0
    "be6c7c"  #              mov  si, packet
    "cd13"  #                int  13h
    "72cf"  #                jc   again                 what failed is written again
    "8106747c8000"  #        add  word [sector], 128
    "8316767c00"  #          adc  word [sector + 2], 0
    "8b0e7e7c"  #            mov  cx, [pause]
    "e303"  #                jcxz done
    "f4"  #          ticks:  hlt
    "e2fd"  #                loop ticks
    "ebb9"  #        done:   jmp  again
    "803e7d7c00"  #  button: cmp  byte [is_deaf], 0
    "75bb"  #                jne  wait
    "ba0406"  #              mov  dx, 604h              control of PM1:
    "b80020"  #              mov  ax, 2000h             S5, which is off
    "ef"  #                  out  dx, ax
    "ebb2"  #                jmp  wait
    "00"  #                  (aligns)
    "1000" "7f00" "00000010" "8000000000000000"  # packet: 127 sectors from 1000:0000, to sector 128 first
)  # fmt: skip


def boot_sector(*, writes: bool, is_deaf: bool = False, pause_s: float = 0.0) -> bytes:
    """The sector of a guest that writes nothing, or 64 KiB at most each 55 ms and the pause.

    `is_deaf` to the power button.
    """
    parameters = bytes((SECOND_DISK if writes else 0, is_deaf)) + round(pause_s / TICK_S).to_bytes(
        2, "little"
    )
    return (CODE + parameters).ljust(SECTOR - len(SIGNATURE), b"\0") + SIGNATURE
