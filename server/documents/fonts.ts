// Of India's scheduled languages; look.typ names their families. A compiled program contains the files.

export { default as sansArabicBold } from '@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf' with { type: 'file' }
export { default as sansArabicRegular } from '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf' with { type: 'file' }
export { default as sansBengaliBold } from '@expo-google-fonts/noto-sans-bengali/700Bold/NotoSansBengali_700Bold.ttf' with { type: 'file' }
export { default as sansBengaliRegular } from '@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf' with { type: 'file' }
export { default as sansBold } from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }
export { default as sansGujaratiBold } from '@expo-google-fonts/noto-sans-gujarati/700Bold/NotoSansGujarati_700Bold.ttf' with { type: 'file' }
export { default as sansGujaratiRegular } from '@expo-google-fonts/noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf' with { type: 'file' }
export { default as sansGurmukhiBold } from '@expo-google-fonts/noto-sans-gurmukhi/700Bold/NotoSansGurmukhi_700Bold.ttf' with { type: 'file' }
export { default as sansGurmukhiRegular } from '@expo-google-fonts/noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf' with { type: 'file' }
export { default as sansKannadaBold } from '@expo-google-fonts/noto-sans-kannada/700Bold/NotoSansKannada_700Bold.ttf' with { type: 'file' }
export { default as sansKannadaRegular } from '@expo-google-fonts/noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf' with { type: 'file' }
export { default as sansMalayalamBold } from '@expo-google-fonts/noto-sans-malayalam/700Bold/NotoSansMalayalam_700Bold.ttf' with { type: 'file' }
export { default as sansMalayalamRegular } from '@expo-google-fonts/noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf' with { type: 'file' }
export { default as sansMeeteiMayekBold } from '@expo-google-fonts/noto-sans-meetei-mayek/700Bold/NotoSansMeeteiMayek_700Bold.ttf' with { type: 'file' }
export { default as sansMeeteiMayekRegular } from '@expo-google-fonts/noto-sans-meetei-mayek/400Regular/NotoSansMeeteiMayek_400Regular.ttf' with { type: 'file' }
export { default as sansOlChikiBold } from '@expo-google-fonts/noto-sans-ol-chiki/700Bold/NotoSansOlChiki_700Bold.ttf' with { type: 'file' }
export { default as sansOlChikiRegular } from '@expo-google-fonts/noto-sans-ol-chiki/400Regular/NotoSansOlChiki_400Regular.ttf' with { type: 'file' }
export { default as sansOriyaBold } from '@expo-google-fonts/noto-sans-oriya/700Bold/NotoSansOriya_700Bold.ttf' with { type: 'file' }
export { default as sansOriyaRegular } from '@expo-google-fonts/noto-sans-oriya/400Regular/NotoSansOriya_400Regular.ttf' with { type: 'file' }
export { default as sansRegular } from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
export { default as sansTamilBold } from '@expo-google-fonts/noto-sans-tamil/700Bold/NotoSansTamil_700Bold.ttf' with { type: 'file' }
export { default as sansTamilRegular } from '@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf' with { type: 'file' }
export { default as sansTeluguBold } from '@expo-google-fonts/noto-sans-telugu/700Bold/NotoSansTelugu_700Bold.ttf' with { type: 'file' }
export { default as sansTeluguRegular } from '@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf' with { type: 'file' }
