import { readFileSync } from 'node:fs'
import sansArabicBold from '@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf' with { type: 'file' }
import sansArabicRegular from '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf' with { type: 'file' }
import sansBengaliBold from '@expo-google-fonts/noto-sans-bengali/700Bold/NotoSansBengali_700Bold.ttf' with { type: 'file' }
import sansBengaliRegular from '@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf' with { type: 'file' }
import sansBold from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }
import sansGujaratiBold from '@expo-google-fonts/noto-sans-gujarati/700Bold/NotoSansGujarati_700Bold.ttf' with { type: 'file' }
import sansGujaratiRegular from '@expo-google-fonts/noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf' with { type: 'file' }
import sansGurmukhiBold from '@expo-google-fonts/noto-sans-gurmukhi/700Bold/NotoSansGurmukhi_700Bold.ttf' with { type: 'file' }
import sansGurmukhiRegular from '@expo-google-fonts/noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf' with { type: 'file' }
import sansKannadaBold from '@expo-google-fonts/noto-sans-kannada/700Bold/NotoSansKannada_700Bold.ttf' with { type: 'file' }
import sansKannadaRegular from '@expo-google-fonts/noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf' with { type: 'file' }
import sansMalayalamBold from '@expo-google-fonts/noto-sans-malayalam/700Bold/NotoSansMalayalam_700Bold.ttf' with { type: 'file' }
import sansMalayalamRegular from '@expo-google-fonts/noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf' with { type: 'file' }
import sansMeeteiMayekBold from '@expo-google-fonts/noto-sans-meetei-mayek/700Bold/NotoSansMeeteiMayek_700Bold.ttf' with { type: 'file' }
import sansMeeteiMayekRegular from '@expo-google-fonts/noto-sans-meetei-mayek/400Regular/NotoSansMeeteiMayek_400Regular.ttf' with { type: 'file' }
import sansOlChikiBold from '@expo-google-fonts/noto-sans-ol-chiki/700Bold/NotoSansOlChiki_700Bold.ttf' with { type: 'file' }
import sansOlChikiRegular from '@expo-google-fonts/noto-sans-ol-chiki/400Regular/NotoSansOlChiki_400Regular.ttf' with { type: 'file' }
import sansOriyaBold from '@expo-google-fonts/noto-sans-oriya/700Bold/NotoSansOriya_700Bold.ttf' with { type: 'file' }
import sansOriyaRegular from '@expo-google-fonts/noto-sans-oriya/400Regular/NotoSansOriya_400Regular.ttf' with { type: 'file' }
import sansRegular from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
import sansTamilBold from '@expo-google-fonts/noto-sans-tamil/700Bold/NotoSansTamil_700Bold.ttf' with { type: 'file' }
import sansTamilRegular from '@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf' with { type: 'file' }
import sansTeluguBold from '@expo-google-fonts/noto-sans-telugu/700Bold/NotoSansTelugu_700Bold.ttf' with { type: 'file' }
import sansTeluguRegular from '@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf' with { type: 'file' }

// Of India's scheduled languages; look.typ names their families. A compiled program contains the files.
const files = [
  sansArabicBold,
  sansArabicRegular,
  sansBengaliBold,
  sansBengaliRegular,
  sansBold,
  sansGujaratiBold,
  sansGujaratiRegular,
  sansGurmukhiBold,
  sansGurmukhiRegular,
  sansKannadaBold,
  sansKannadaRegular,
  sansMalayalamBold,
  sansMalayalamRegular,
  sansMeeteiMayekBold,
  sansMeeteiMayekRegular,
  sansOlChikiBold,
  sansOlChikiRegular,
  sansOriyaBold,
  sansOriyaRegular,
  sansRegular,
  sansTamilBold,
  sansTamilRegular,
  sansTeluguBold,
  sansTeluguRegular,
]

export const readFonts = () => files.map(file => readFileSync(file))
