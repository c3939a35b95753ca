# find_package(Acclimate), for projects whose compiler is another one. Where CMAKE_C_COMPILER is acclcc already, nothing here is needed.
#
#   acclimate_enable(TARGET...)   these targets are compiled and linked by accl, in front of the project's own compiler
#   acclimate_enable()            all targets added from now on in this folder and below are
#   Acclimate::Runtime            openacc.h and the runtime, for what calls acc_... routines and is not compiled by accl
#   Acclimate_COMPILER, Acclimate_C_COMPILER, Acclimate_CXX_COMPILER   the commands accl, acclcc, acclc++

get_filename_component(Acclimate_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Acclimate_COMPILER "${Acclimate_PREFIX}/bin/accl")
set(Acclimate_C_COMPILER "${Acclimate_PREFIX}/bin/acclcc")
set(Acclimate_CXX_COMPILER "${Acclimate_PREFIX}/bin/acclc++")

if(NOT EXISTS "${Acclimate_COMPILER}")
  set(Acclimate_FOUND FALSE)
  set(Acclimate_NOT_FOUND_MESSAGE "${Acclimate_COMPILER} does not exist: the installation is not whole")
  return()
endif()

if(NOT TARGET Acclimate::Runtime)
  add_library(Acclimate::Runtime INTERFACE IMPORTED)
  set_target_properties(Acclimate::Runtime PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Acclimate_PREFIX}/include/acclimate"
    INTERFACE_LINK_LIBRARIES "${Acclimate_PREFIX}/lib/acclimate/libaccl_runtime.a;pthread;dl;m")
endif()

function(acclimate_enable)
  if(CMAKE_VERSION VERSION_LESS 3.21)
    message(FATAL_ERROR "acclimate_enable needs CMake 3.21, which can link by accl; with an older one set "
      "CMAKE_C_COMPILER to ${Acclimate_C_COMPILER} and CMAKE_CXX_COMPILER to ${Acclimate_CXX_COMPILER}")
  endif()
  # Behind each stands the project's compiler, with its options.
  set(launcher_C "${Acclimate_COMPILER}" cc --host-compiler)
  set(launcher_CXX "${Acclimate_COMPILER}" c++ --host-compiler)
  foreach(language C CXX)
    get_filename_component(compiler "${CMAKE_${language}_COMPILER}" NAME)
    if(NOT CMAKE_${language}_COMPILER OR compiler MATCHES "^accl")
      continue()
    endif()
    foreach(step COMPILER LINKER)
      if(ARGN)
        set_target_properties(${ARGN} PROPERTIES ${language}_${step}_LAUNCHER "${launcher_${language}}")
      else()
        set(CMAKE_${language}_${step}_LAUNCHER "${launcher_${language}}" PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      # Whoever links it may do so without accl.
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES Acclimate::Runtime)
    endif()
  endforeach()
endfunction()
